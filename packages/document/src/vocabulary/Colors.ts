/** Colours of text and of tags by their names; those with a `$` are colours that the site is set in. */
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
