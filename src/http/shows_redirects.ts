import { ownMembers } from "./own_members.ts";

/**
 * Whether this platform shows where a redirect leads, when it is asked not to follow it. Browsers hide it, and keep
 * scripts from setting `Cookie`; server runtimes do neither. That is asked, and not the name of the platform: to find out
 * by a redirect itself would cost a second request, which a POST must not be.
 *
 * @returns `true` if the library decides where a redirect may lead; `false` if the platform does.
 */
export function showsRedirects(): boolean {
  try {
    return new Request("http://localhost/", ownMembers({ headers: { cookie: "a=b" } })).headers.has("cookie");
  } catch {
    return false;
  }
}
