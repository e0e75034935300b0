/** Names of colors of text and tags. Names with `$` are colors of the site's theme. */
export const colors = [
  "default",
  "green",
  "blue",
  "red",
  "orange",
  "yellow",
  "purple",
  "pink",
  "violet",
  "cyan",
  "$primary",
  "$info",
  "$success",
  "$warning",
  "$danger",
  "$tint"
] as const
