/** The initials of a person. A decoration: the name is next to it or in a label. */
import { Icon } from "./Icon.tsx"

/** Returns the initials of a name. Empty for a name without letters. */
const initials = (name: string): string =>
  Array.from(name.matchAll(/(?:^|\s)(\p{L})/gu), ([, letter]) => letter!.toUpperCase())
    .slice(0, 2)
    .join("")

export const Avatar = ({ name }: { readonly name: string }) => {
  const letters = initials(name)
  return letters === "" ? <Icon name="user" /> : <span className="initials" data-initials={letters} />
}
