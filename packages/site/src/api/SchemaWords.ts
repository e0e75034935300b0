/** Messages for the facts of schemas, in the languages of the interface. Missing languages fall back to English. */
import * as Words from "../page/Words.ts"

export interface SchemaWords {
  /** Unit after a number of properties. */
  readonly propertyCount: string
  readonly unique: string
  readonly closed: string
  readonly requires: string
  readonly names: string
  readonly contains: string
  readonly not: string
  readonly condition: Readonly<Record<"test" | "met" | "unmet", string>>
  readonly callbacks: string
  readonly links: string
}

const ar: SchemaWords = {
  propertyCount: "خصائص",
  unique: "لا عنصر مكرر",
  closed: "لا خصائص أخرى",
  requires: "يتطلب",
  names: "الأسماء",
  contains: "يحتوي",
  not: "ليس",
  condition: { test: "إذا", met: "عندئذ", unmet: "وإلا" },
  callbacks: "الاستدعاءات",
  links: "الروابط"
}

const de: SchemaWords = {
  propertyCount: "Felder",
  unique: "Kein Element zweimal",
  closed: "Keine anderen Felder",
  requires: "verlangt",
  names: "Namen",
  contains: "enthält",
  not: "nicht",
  condition: { test: "wenn", met: "dann", unmet: "sonst" },
  callbacks: "Rückrufe",
  links: "Links"
}

const en: SchemaWords = {
  propertyCount: "properties",
  unique: "No item twice",
  closed: "No other properties",
  requires: "requires",
  names: "names",
  contains: "contains",
  not: "not",
  condition: { test: "if", met: "then", unmet: "else" },
  callbacks: "Callbacks",
  links: "Links"
}

const es: SchemaWords = {
  propertyCount: "propiedades",
  unique: "Sin elementos repetidos",
  closed: "Sin otras propiedades",
  requires: "requiere",
  names: "nombres",
  contains: "contiene",
  not: "no",
  condition: { test: "si", met: "entonces", unmet: "si no" },
  callbacks: "Callbacks",
  links: "Enlaces"
}

const fr: SchemaWords = {
  propertyCount: "propriétés",
  unique: "Aucun élément en double",
  closed: "Aucune autre propriété",
  requires: "exige",
  names: "noms",
  contains: "contient",
  not: "pas",
  condition: { test: "si", met: "alors", unmet: "sinon" },
  callbacks: "Rappels",
  links: "Liens"
}

const ja: SchemaWords = {
  propertyCount: "個のプロパティ",
  unique: "要素の重複なし",
  closed: "他のプロパティは不可",
  requires: "に必要:",
  names: "名前",
  contains: "含む",
  not: "以外",
  condition: { test: "条件", met: "成立時", unmet: "それ以外" },
  callbacks: "コールバック",
  links: "リンク"
}

const nl: SchemaWords = {
  propertyCount: "velden",
  unique: "Geen element dubbel",
  closed: "Geen andere velden",
  requires: "vereist",
  names: "namen",
  contains: "bevat",
  not: "niet",
  condition: { test: "als", met: "dan", unmet: "anders" },
  callbacks: "Callbacks",
  links: "Links"
}

const no: SchemaWords = {
  propertyCount: "felter",
  unique: "Ingen elementer to ganger",
  closed: "Ingen andre felter",
  requires: "krever",
  names: "navn",
  contains: "inneholder",
  not: "ikke",
  condition: { test: "hvis", met: "så", unmet: "ellers" },
  callbacks: "Tilbakekall",
  links: "Lenker"
}

const ptBr: SchemaWords = {
  propertyCount: "propriedades",
  unique: "Sem itens repetidos",
  closed: "Sem outras propriedades",
  requires: "exige",
  names: "nomes",
  contains: "contém",
  not: "não",
  condition: { test: "se", met: "então", unmet: "senão" },
  callbacks: "Callbacks",
  links: "Links"
}

const ru: SchemaWords = {
  propertyCount: "свойств",
  unique: "Без повторов",
  closed: "Без других свойств",
  requires: "требует",
  names: "имена",
  contains: "содержит",
  not: "не",
  condition: { test: "если", met: "то", unmet: "иначе" },
  callbacks: "Обратные вызовы",
  links: "Ссылки"
}

const zh: SchemaWords = {
  propertyCount: "个属性",
  unique: "元素不得重复",
  closed: "不允许其他属性",
  requires: "需要",
  names: "名称",
  contains: "包含",
  not: "非",
  condition: { test: "如果", met: "则", unmet: "否则" },
  callbacks: "回调",
  links: "链接"
}

export const of = Words.among<SchemaWords>({ ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh })
