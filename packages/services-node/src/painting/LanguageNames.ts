/**
 * Languages by the names that people write. Most are those of grammars. The others are here: names of the highlighters
 * that other documentation is made with (Prism's, highlight.js's), of files, of dialects and of programs.
 */

/** Grammars, and the names that none of them has by itself. */
const names: Readonly<Record<string, string>> = {
  apache: "apacheconf",
  asm: "nasm",
  awk: "gawk",
  bash: "curl",
  bat: "dos",
  cpp: "arduino c++ cc h hpp ino",
  csharp: "c# dotnet",
  dart: "flutter",
  diff: "patch",
  dotenv: "env",
  elisp: "emacs",
  elixir: "ex exs",
  "fortran-free-form": "fortran",
  fsharp: "f#",
  go: "golang",
  groovy: "gradle",
  handlebars: "mustache",
  html: "htm markup xhtml",
  http: "https",
  ini: "cfg conf config",
  java: "processing",
  javascript: "es6 node nodejs",
  jinja: "django jinja2",
  json: "webmanifest",
  jsonl: "ndjson",
  jsx: "javascriptreact react",
  make: "mk",
  nginx: "nginxconf",
  "objective-c": "obj-c objectivec",
  pascal: "delphi objectpascal",
  po: "gettext",
  powerquery: "pq",
  purescript: "purs",
  racket: "rkt",
  razor: "cshtml",
  shellsession: "sh-session shell-session terminal",
  solidity: "sol",
  sparql: "rq",
  sql: "mysql postgres postgresql tsql",
  text: "plain plaintext txt",
  tsx: "typescriptreact",
  turtle: "trig",
  vb: "vb.net vba vbnet vbs visual-basic",
  wolfram: "mathematica nb",
  xml: "atom mathml plist rss ssml svg xsd",
  yaml: "compose docker-compose"
}

/** Grammars by the names that only people have for them. */
export const grammars: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([grammar, written]) => written.split(" ").map((name) => [name, grammar] as const))
)

/** The grammar that a language has, if there is one; "text" for what is none. */
export const grammarOf = (written: string): string => {
  const name = written.toLowerCase()
  return grammars.get(name) ?? name
}
