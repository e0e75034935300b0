/** Link to the notifications in the bar, with the number of unread ones. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Icon } from "../frame/Icon.tsx"
import { countedText, text } from "../language/Language.ts"
import { notificationQueries } from "./NotificationQueries.ts"

/** Larger numbers are displayed as "99+". */
const maxDisplayed = 99

export const Bell = () => {
  const { data: unread = 0 } = useQuery(notificationQueries.unread())
  return (
    <Link
      to="/notifications"
      className="plain square bell"
      aria-label={unread === 0 ? text("inbox.title") : countedText("inbox.bell", unread)}
    >
      <Icon name="bell" />
      {unread > 0 && <span className="bell-count" data-count={unread > maxDisplayed ? `${maxDisplayed}+` : unread} />}
    </Link>
  )
}
