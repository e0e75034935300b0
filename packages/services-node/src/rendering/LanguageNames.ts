/**
 * Maps names of languages to grammars. Most names are those of the grammars. This file adds names of other highlighters
 * (Prism, highlight.js), file extensions, dialects and programs.
 */

/** Additional names by grammar, separated by spaces. */
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

/** Grammars by additional name. */
export const grammars: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([grammar, language]) => language.split(" ").map((name) => [name, grammar] as const))
)

/**
 * Returns the grammar of a language, or its name in lower case if no other name is known. `text` stands for no
 * language.
 */
export const grammarOf = (language: string): string => {
  const name = language.toLowerCase()
  return grammars.get(name) ?? name
}
