/** What endpoints without a protocol say. */
export const ENDPOINT_TEXTS = {
  400: () =>
    'Cannot make a key of an endpoint without a name: pass { name: "getUser" } as an option, or a named function',
  401: ({ name, where, cause }: { readonly name: string; readonly where: string; readonly cause: Error }) =>
    `${cause.message} (in ${where} of "${name}")`,
};
