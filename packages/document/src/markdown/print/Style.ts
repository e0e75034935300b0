/** How Markdown is written where it could be written in several ways that mean the same. */
export interface Style {
  /** Mark of a list's items, unless a list beside it or a divider in it asks for another. */
  readonly bullet: "*" | "-" | "+"
  /** Mark of emphasis; strong text always has `**`. Each takes the other's where they meet. */
  readonly emphasis: "_" | "*"
  /** Mark that fences of code are made of. */
  readonly fence: "`" | "~"
  /** Text between the text of a cell and its bars. */
  readonly cellPadding: " " | ""
  readonly lineEnd: "\n" | "\r\n"
}

export const standard: Style = { bullet: "*", emphasis: "_", fence: "`", cellPadding: " ", lineEnd: "\n" }

/** The bullet of a list that must not have that of the style. Never one that dividers are made of. */
export const otherBullet = ({ bullet }: Style): Style["bullet"] => (bullet === "+" ? "-" : "+")
