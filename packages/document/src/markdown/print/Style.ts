/** Choice between equivalent forms of Markdown. */
export interface Style {
  /** Bullet of lists. `otherBullet` replaces it next to another list, or if bullets could be parsed as a divider. */
  readonly bullet: "*" | "-" | "+"
  /**
   * Delimiter of emphasis. The delimiter of strong text is `**`. `Attention` uses the alternative delimiter if the
   * result would be ambiguous.
   */
  readonly emphasis: "_" | "*"
  /** Character of code fences. */
  readonly fence: "`" | "~"
  /** Text between the content of a table cell and the `|` on both sides. */
  readonly cellPadding: " " | ""
  readonly lineEnd: "\n" | "\r\n"
}

export const standardStyle: Style = { bullet: "*", emphasis: "_", fence: "`", cellPadding: " ", lineEnd: "\n" }

/** Returns the bullet to use instead of the style's bullet. It is never `*`. */
export const otherBullet = ({ bullet }: Style): Style["bullet"] => (bullet === "+" ? "-" : "+")
