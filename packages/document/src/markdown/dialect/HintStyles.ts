/** Hint styles by the names of programs, in lower case. A name is valid only in the syntax of a program that has it. */

/** Returns the styles by name, of names by style. */
export const stylesByName = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([style, all]) => all.split(" ").map((name) => [name, style] as const)))

/** Names with the same style in several programs. */
export const commonStyles = stylesByName({
  info: "note info important",
  success: "tip success",
  warning: "warning caution",
  danger: "danger"
})
