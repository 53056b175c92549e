/** Whether a value is an object, an array too, but no function. */
export const isObject = (value: unknown): boolean => typeof value == "object" && value !== null;
