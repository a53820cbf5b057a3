/** The functions that a statement at the top of a cell defines. */
function helperNames(statement: Deno.lint.Program["body"][number]): string[] {
  switch (statement.type) {
    case "FunctionDeclaration":
      return [statement.id!.name];
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id, init }) =>
        id.type === "Identifier" && /^(ArrowFunction|Function)Expression$/.test(init?.type ?? "") ? [id.name] : []
      );
    default:
      return [];
  }
}

/** Facts about cells, reported as complaints of `deno lint`: each `x!`, and the name of each helper at the top level. */
const plugin: Deno.lint.Plugin = {
  name: "facts",
  rules: {
    "non-null": {
      create: (context) => ({
        TSNonNullExpression: (node) => context.report({ node, message: "!" }),
      }),
    },
    helper: {
      create: (context) => ({
        Program(node) {
          for (const name of node.body.flatMap(helperNames)) context.report({ node, message: name });
        },
      }),
    },
  },
};
export default plugin;
