/** Texts of mails of notifications, in all languages. The files in `messages` have one shape, which the type checks. */
import type { Localized } from "../schema/InterfaceLanguage.ts"
import type { NotificationMessages } from "./messages/NotificationMessages.ts"
import ar from "./messages/ar.json" with { type: "json" }
import de from "./messages/de.json" with { type: "json" }
import en from "./messages/en.json" with { type: "json" }
import es from "./messages/es.json" with { type: "json" }
import fr from "./messages/fr.json" with { type: "json" }
import ja from "./messages/ja.json" with { type: "json" }
import nl from "./messages/nl.json" with { type: "json" }
import no from "./messages/no.json" with { type: "json" }
import ptBr from "./messages/pt-br.json" with { type: "json" }
import ru from "./messages/ru.json" with { type: "json" }
import zh from "./messages/zh.json" with { type: "json" }

export const notificationTexts: Localized<NotificationMessages> = {
  ar,
  de,
  en,
  es,
  fr,
  ja,
  nl,
  no,
  "pt-br": ptBr,
  ru,
  zh
}
