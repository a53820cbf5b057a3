/** Lines of TypeScript that are neither blank nor comment, as cloc counts them. */
export function codeLines(source: string): number {
  let inComment = false;
  return source.split("\n").filter((line) => {
    let code = line.trim();
    if (!inComment && code.startsWith("/*")) {
      inComment = true;
      code = code.slice(2);
    }
    if (inComment) {
      const end = code.indexOf("*/");
      if (end === -1) return false;
      inComment = false;
      code = code.slice(end + 2).trim();
    }
    return code !== "" && !code.startsWith("//");
  }).length;
}
