import { effect, signal } from "@preact/signals";

/** Who is logged in: the token, which outlives the page. */
export const session = signal(localStorage.getItem("token"));

effect(() => {
  if (session.value === null) localStorage.removeItem("token");
  else localStorage.setItem("token", session.value);
});
