/** Messages with placeholders. In a module of its own, so that browsers load it without the messages of all languages. */
import type { Messages } from "./Messages.ts"

/** Returns a function that inserts a value for the placeholder of a message. */
export const fillPlaceholder =
  <A extends string | number>(message: string) =>
  (value: A): string =>
    message.replace(/\{\w+\}/, () => String(value))

/** Returns the messages of search results. `language`: BCP 47 tag. */
export const searchMessages = ({ results, noResults }: Pick<Messages, "results" | "noResults">, language: string) => {
  const plural = new Intl.PluralRules(language)
  return {
    results: (count: number): string => fillPlaceholder<number>(results[plural.select(count)] ?? results.other)(count),
    noResults: fillPlaceholder<string>(noResults)
  }
}
