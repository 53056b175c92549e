/**
 * A clock for tests: time passes when the test says so, and never by itself. That of the testing kit, without what the
 * kit has for components.
 *
 * @module
 */
export { FakeClock } from "../../src/testing/fake_clock.ts";
export { flush } from "../../src/testing/flush.ts";
