/**
 * Temporary names that a test can write down: `~0000000000000000-1`, `~0000000000000000-2` … in each store. To be imported
 * for its effect, by tests that are not about how random they are.
 *
 * @module
 */
const { getRandomValues } = crypto;

Object.defineProperty(crypto, "getRandomValues", {
  value: (bytes: Uint8Array<ArrayBuffer>) =>
    bytes instanceof Uint8Array && bytes.length === 8 ? bytes.fill(0) : getRandomValues.call(crypto, bytes),
  configurable: true,
});
