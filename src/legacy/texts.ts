/** What classes of the 5.0 form say. */
export const LEGACY_TEXTS = {
  800: ({ name }: { readonly name: string }) =>
    `The class "${name}" has no urlRoot: write \`static urlRoot = "https://api.example.com/articles"\` on it. ` +
    "A class that has no URL of its own extends Entity",
  801: () => "is unknown, because pk() fails: pass the members that it is made of",
  802: ({ given, prefix }: { readonly given: unknown; readonly prefix: string }) =>
    "is missing: pass the members that pk() is made of" +
    (typeof given === "string" ? `, or a url that is one segment below ${prefix}` : ""),
  803: ({ name }: { readonly name: string }) =>
    `Cannot fetch a Request with "${name}": pass its url, and the rest of it as init`,
};
