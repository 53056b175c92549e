/** Where the page is: the part of the address behind `#`. */
import { computed, signal } from "@preact/signals";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

/** `#/tasks/5` → `["tasks", "5"]`. */
export const route = computed(() => hash.value.replace(/^#\//, "").split("/").filter(Boolean));

/** Goes there in place of where we are: the back button does not come to what is gone. */
export function leaveFor(address: string): void {
  history.replaceState(null, "", address);
  hash.value = location.hash;
}
