/**
 * The check of keys and addresses.
 *
 * @module
 */
import type { CallFunctions } from "./contestant.ts";

/** Throws an error that says what the contestant did wrong; serves as ageing, too: many paths, many arguments. */
export function checkCalls(name: string, calls: CallFunctions): void {
  const expect = (found: unknown, expected: unknown, what: string) => {
    if (found !== expected) throw new Error(`${name}: ${what} is ${found} in place of ${expected}`);
  };
  const keys = new Set<string>();
  for (let number = 0; number < 500; number++) {
    const params = { owner: "rejoin", repo: `r${number % 7}`, number };
    const url = `https://api.example.com/repos/rejoin/r${number % 7}/issues`;
    expect(calls.url(params), `${url}/${number}`, "an address");
    const list = { owner: params.owner, repo: params.repo, state: "open", page: number };
    const listUrl = calls.listUrl(list);
    expect(listUrl.split("?")[0], url, "the address of a list");
    const search = [...new URLSearchParams(listUrl.split("?")[1])].sort().join("&");
    expect(search, `page,${number}&state,open`, "the search of a list");
    const { page, state, repo, owner } = list;
    expect(calls.listKey({ page, state, repo, owner }), calls.listKey(list), "the key of equal arguments");
    const declaredKey = calls.declare(`/checked${number % 100}`)(params);
    expect(declaredKey.includes(`/checked${number % 100}/rejoin/r${number % 7}/`), true, `a path in ${declaredKey}`);
    keys.add(calls.key(params)).add(calls.listKey(list));
  }
  expect(keys.size, 1000, "the number of keys of a thousand calls");
}
