/**
 * Lists the services of translations and glossaries, the job that runs a translation, and the job that removes data of
 * deleted ones.
 */
import { offer, type Services } from "../Services.ts"
import { Glossaries } from "./Glossaries.ts"
import { forgetTranslation } from "./TranslationRemoval.ts"
import { runTranslation } from "./TranslationRun.ts"
import { Translations } from "./Translations.ts"

export const translationServices = {
  jobs: [forgetTranslation, runTranslation],
  offered: {
    "translations.glossaries": offer(Glossaries, {
      list: "outsideTransaction",
      get: "outsideTransaction",
      update: "outsideTransaction",
      terms: "internal"
    }),
    translations: offer(Translations, "outsideTransaction")
  }
} as const satisfies Services
