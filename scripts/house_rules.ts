/// <reference lib="deno.unstable" />
// This library has the types of lint plugins.

/**
 * Lint rules of this repository: `src/` uses the network in one place only, and never turns text into code.
 * `tests/repo/house_rules_test.ts` shows that each rule can fail.
 *
 * @module
 */

type Node = Deno.lint.Node;

const GLOBAL_OBJECTS = new Set(["globalThis", "self", "window"]);

/** The path inside the repository of a file that is published, or `undefined`. */
export function shippedPath(filename: string): string | undefined {
  return /(?:^|[\\/])((?:mod|core)\.ts|src[\\/].*)$/.exec(filename)?.[1]?.replaceAll("\\", "/");
}

/**
 * Makes a rule about the use of globals. `message` gets a name, or an object and a member, and returns the complaint or
 * nothing.
 */
function globalsRule(
  applies: (path: string) => boolean,
  message: (name: string, member: string | undefined) => string | undefined,
): Deno.lint.Rule {
  return {
    create(context): Deno.lint.LintVisitor {
      const path = shippedPath(context.filename);
      if (path === undefined || !applies(path)) return {};
      return {
        Identifier(identifier) {
          const use = globalUse(identifier);
          const problem = use && message(use.name, use.member);
          if (problem) context.report({ node: identifier, message: problem });
        },
      };
    },
  };
}

/**
 * `name` or `name.member`, if an identifier is a value that no declaration around it defines. A leading `globalThis.`
 * is dropped.
 */
function globalUse(identifier: Deno.lint.Identifier): { name: string; member: string | undefined } | undefined {
  if (!isValue(identifier) || isDeclared(identifier)) return undefined;
  let node: Node = identifier;
  let name = identifier.name;
  if (GLOBAL_OBJECTS.has(name)) {
    const property = memberOf(node);
    if (property === undefined) return undefined;
    node = node.parent as Node;
    name = property;
  }
  return { name, member: memberOf(node) };
}

/** `b` of `a.b` and `a["b"]`, given `a`. */
function memberOf(object: Node): string | undefined {
  const parent = parentOf(object);
  if (parent?.type !== "MemberExpression" || parent.object !== object) return undefined;
  if (!parent.computed) return parent.property.type === "Identifier" ? parent.property.name : undefined;
  return parent.property.type === "Literal" && typeof parent.property.value === "string"
    ? parent.property.value
    : undefined;
}

/** Whether an identifier is read as a value: neither the name of a member, nor a declaration, nor part of a type. */
function isValue(identifier: Deno.lint.Identifier): boolean {
  const parent = parentOf(identifier);
  if (parent === undefined || parent.type.startsWith("TS")) {
    return parent?.type === "TSAsExpression" || parent?.type === "TSSatisfiesExpression" ||
      parent?.type === "TSNonNullExpression";
  }
  switch (parent.type) {
    case "MemberExpression":
      return parent.object === identifier || parent.computed;
    case "Property":
      return parent.value === identifier && parentOf(parent)?.type === "ObjectExpression";
    case "MethodDefinition":
    case "PropertyDefinition":
      return "value" in parent && parent.value === identifier;
    case "VariableDeclarator":
      return parent.init === identifier;
    case "AssignmentPattern":
      return parent.right === identifier;
    case "ArrowFunctionExpression":
      return parent.body === identifier;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ClassDeclaration":
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
    case "ExportSpecifier":
    case "RestElement":
    case "ArrayPattern":
    case "LabeledStatement":
      return false;
    default:
      return true;
  }
}

/** Whether a parameter, variable, function, class or import around the identifier has its name. */
function isDeclared(identifier: Deno.lint.Identifier): boolean {
  const { name } = identifier;
  for (let scope = parentOf(identifier); scope; scope = parentOf(scope)) {
    if (
      (scope.type === "FunctionDeclaration" || scope.type === "FunctionExpression" ||
        scope.type === "ArrowFunctionExpression") && scope.params.some((parameter) => binds(parameter, name))
    ) return true;
    if (scope.type === "CatchClause" && scope.param && binds(scope.param, name)) return true;
    if (
      (scope.type === "BlockStatement" || scope.type === "Program") && scope.body.some((item) => declares(item, name))
    ) {
      return true;
    }
  }
  return false;
}

function declares(statement: Node, name: string): boolean {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      return statement.declaration !== null && declares(statement.declaration, name);
    case "VariableDeclaration":
      return statement.declarations.some((declaration) => binds(declaration.id, name));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return statement.id?.name === name;
    case "ImportDeclaration":
      return statement.specifiers.some((specifier) => specifier.local.name === name);
    default:
      return false;
  }
}

function binds(pattern: Node | Deno.lint.Parameter, name: string): boolean {
  switch (pattern.type) {
    case "Identifier":
      return pattern.name === name;
    case "AssignmentPattern":
      return binds(pattern.left, name);
    case "RestElement":
      return binds(pattern.argument, name);
    case "ArrayPattern":
      return pattern.elements.some((element) => element !== null && binds(element, name));
    case "ObjectPattern":
      return pattern.properties.some((property) =>
        binds(property.type === "Property" ? property.value : property.argument, name)
      );
    case "TSParameterProperty":
      return binds(pattern.parameter, name);
    default:
      return false;
  }
}

function parentOf(node: Node): Node | undefined {
  return "parent" in node ? node.parent as Node | undefined : undefined;
}

const plugin: Deno.lint.Plugin = {
  name: "rejoin",
  rules: {
    /**
     * Only `src/http/` calls the platform's `fetch`, and `src/testing/` replaces it. The test also counts the files.
     */
    "one-fetch": globalsRule(
      (path) => !path.startsWith("src/http/") && !path.startsWith("src/testing/"),
      (name) =>
        name === "fetch" || name === "XMLHttpRequest" || name === "EventSource"
          ? `${name} is for src/http/ only: deadline, retry and the origin rule live there`
          : undefined,
    ),

    /** The library must work under a strict Content-Security-Policy. */
    "no-code-from-text": globalsRule(
      () => true,
      (name, member) =>
        name === "eval" || (name === "Function" && member !== "prototype")
          ? `${name} makes code from text, which a strict Content-Security-Policy forbids`
          : undefined,
    ),

    /** The same code runs in Deno, Node, Bun, browsers and workers, so it uses no global of one of them. */
    "no-runtime": {
      create(context): Deno.lint.LintVisitor {
        if (shippedPath(context.filename) === undefined) return {};
        return {
          ...globalsRule(
            () => true,
            (name) =>
              name === "process" || name === "Deno" || name === "Bun" || name === "require"
                ? `${name} exists in some runtimes only`
                : undefined,
          ).create(context),
          MemberExpression(node) {
            if (node.object.type === "MetaProperty" && node.object.meta.name === "import") {
              context.report({ node, message: "import.meta differs from runtime to runtime and is lost in a bundle" });
            }
          },
        };
      },
    },
  },
};

export default plugin;
