/**
 * A controller for tests that look at an outcome later than it is there.
 *
 * @module
 */
import { type AnyEndpoint, Controller } from "@rejoin/data";

/**
 * A mutation that fails is no unhandled rejection here: the test looks at its promise when everything has happened. What
 * is reported, and what is not, is tested elsewhere, with the controller itself.
 */
export class PatientController extends Controller {
  override fetch<E extends AnyEndpoint>(endpoint: E, ...args: E["~types"]["args"]): Promise<E["~types"]["data"]> {
    const outcome = super.fetch(endpoint, ...args);
    outcome.catch(() => {});
    return outcome;
  }
}
