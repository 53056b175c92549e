/** Random bytes as text, two letters each. Not `crypto.randomUUID`: browsers have it in secure contexts only. */
export function randomText(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}
