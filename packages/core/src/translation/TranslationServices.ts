/** Services of translations. */
import type { Services } from "../Services.ts"
import { TranslationPolicy } from "./TranslationPolicy.ts"
import { forgetTranslation } from "./TranslationRemoval.ts"
import { TranslationResults } from "./TranslationResults.ts"
import { runTranslation } from "./TranslationRun.ts"
import { Translations } from "./Translations.ts"

export const translationServices = {
  layers: [TranslationPolicy.layer, TranslationResults.layer, Translations.layer],
  jobs: [forgetTranslation, runTranslation],
  offered: { translations: Translations }
} as const satisfies Services
