/**
 * Writes problems as a JUnit report: one test case for each problem. An error is a failed test. A warning is a passed
 * test with the warning as its output. A folder without problems has one passed test.
 */
import type { LintProblem } from "./Problems.ts"
import { relativePath } from "./RelativePath.ts"

export const serialize = (problems: ReadonlyArray<LintProblem>, folder: string): string => {
  const cases = problems.map(({ path, line, column, rule, level, message }) => {
    const file = relativePath(folder, path)
    const position = [file, line, column].filter((part) => part !== undefined).join(":")
    const output =
      level === "error"
        ? `<failure type="${rule}" message="${escape(message)}">${escape(`${position}: ${message}`)}</failure>`
        : `<system-out>${escape(`${position}: ${message}`)}</system-out>`
    return `    <testcase name="${escape(`${rule} ${position}`)}" classname="${escape(file)}">${output}</testcase>`
  })
  const counts = `tests="${Math.max(cases.length, 1)}" failures="${problems.filter(({ level }) => level === "error").length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="lectern lint" ${counts}>`,
    ...(cases.length > 0 ? cases : ['    <testcase name="no problems" classname="lectern lint"/>']),
    "  </testsuite>",
    "</testsuites>"
  ].join("\n")
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;"
}

/** Characters that XML does not allow, also not as references. */
const invalid = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const escape = (text: string): string =>
  text
    .toWellFormed()
    .replace(invalid, "\uFFFD")
    .replace(/[&<>"\n\r\t]/g, (character) => entities[character]!)
