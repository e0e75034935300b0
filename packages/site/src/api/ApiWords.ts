/** Texts of the API reference, in the languages of the interface. A language that is not here is told in English. */
import * as Words from "../page/Words.ts"

export interface ApiWords {
  readonly authorization: string
  readonly servers: string
  readonly parameters: Readonly<Record<"path" | "query" | "header" | "cookie", string>>
  readonly body: string
  readonly responses: string
  readonly headers: string
  readonly required: string
  readonly deprecated: string
  readonly readOnly: string
  readonly writeOnly: string
  readonly oneOf: string
  readonly anyOf: string
  readonly properties: string
  readonly anyProperty: string
  readonly values: string
  readonly default: string
  readonly example: string
  readonly asAbove: string
  readonly more: string
  readonly either: string
  readonly optional: string
  readonly characters: string
  readonly items: string
}

const en: ApiWords = {
  authorization: "Authorization",
  servers: "Servers",
  parameters: { path: "Path parameters", query: "Query parameters", header: "Headers", cookie: "Cookies" },
  body: "Body",
  responses: "Responses",
  headers: "Headers",
  required: "required",
  deprecated: "deprecated",
  readOnly: "read only",
  writeOnly: "write only",
  oneOf: "One of",
  anyOf: "Any of",
  properties: "Properties",
  anyProperty: "any other name",
  values: "Values",
  default: "Default",
  example: "Example",
  asAbove: "as above",
  more: "More is left out here: see the spec.",
  either: "or",
  optional: "None is needed",
  characters: "characters",
  items: "items"
}

const de: ApiWords = {
  authorization: "Anmeldung",
  servers: "Server",
  parameters: { path: "Parameter im Pfad", query: "Parameter der Abfrage", header: "Kopfzeilen", cookie: "Cookies" },
  body: "Inhalt",
  responses: "Antworten",
  headers: "Kopfzeilen",
  required: "Pflicht",
  deprecated: "veraltet",
  readOnly: "nur lesbar",
  writeOnly: "nur schreibbar",
  oneOf: "Eines von",
  anyOf: "Mindestens eines von",
  properties: "Felder",
  anyProperty: "jeder andere Name",
  values: "Werte",
  default: "Vorgabe",
  example: "Beispiel",
  asAbove: "wie oben",
  more: "Hier ist mehr weggelassen: siehe die Spezifikation.",
  either: "oder",
  optional: "Es ist keine nötig",
  characters: "Zeichen",
  items: "Elemente"
}

const fr: ApiWords = {
  authorization: "Autorisation",
  servers: "Serveurs",
  parameters: {
    path: "Paramètres du chemin",
    query: "Paramètres de la requête",
    header: "En-têtes",
    cookie: "Cookies"
  },
  body: "Corps",
  responses: "Réponses",
  headers: "En-têtes",
  required: "obligatoire",
  deprecated: "obsolète",
  readOnly: "lecture seule",
  writeOnly: "écriture seule",
  oneOf: "L’un de",
  anyOf: "Au moins l’un de",
  properties: "Propriétés",
  anyProperty: "tout autre nom",
  values: "Valeurs",
  default: "Par défaut",
  example: "Exemple",
  asAbove: "comme ci-dessus",
  more: "La suite est omise ici : voir la spécification.",
  either: "ou",
  optional: "Aucune n’est nécessaire",
  characters: "caractères",
  items: "éléments"
}

const es: ApiWords = {
  authorization: "Autorización",
  servers: "Servidores",
  parameters: { path: "Parámetros de ruta", query: "Parámetros de consulta", header: "Encabezados", cookie: "Cookies" },
  body: "Cuerpo",
  responses: "Respuestas",
  headers: "Encabezados",
  required: "obligatorio",
  deprecated: "obsoleto",
  readOnly: "solo lectura",
  writeOnly: "solo escritura",
  oneOf: "Uno de",
  anyOf: "Al menos uno de",
  properties: "Propiedades",
  anyProperty: "cualquier otro nombre",
  values: "Valores",
  default: "Valor por defecto",
  example: "Ejemplo",
  asAbove: "como arriba",
  more: "Aquí se omite el resto: véase la especificación.",
  either: "o",
  optional: "No se necesita ninguna",
  characters: "caracteres",
  items: "elementos"
}

const zh: ApiWords = {
  authorization: "授权",
  servers: "服务器",
  parameters: { path: "路径参数", query: "查询参数", header: "请求头", cookie: "Cookie" },
  body: "请求体",
  responses: "响应",
  headers: "响应头",
  required: "必填",
  deprecated: "已弃用",
  readOnly: "只读",
  writeOnly: "只写",
  oneOf: "以下之一",
  anyOf: "以下任意",
  properties: "属性",
  anyProperty: "任意其他名称",
  values: "可选值",
  default: "默认值",
  example: "示例",
  asAbove: "同上",
  more: "此处省略其余内容，请参阅规范。",
  either: "或",
  optional: "无需授权",
  characters: "个字符",
  items: "项"
}

const ja: ApiWords = {
  authorization: "認証",
  servers: "サーバー",
  parameters: { path: "パスパラメーター", query: "クエリパラメーター", header: "ヘッダー", cookie: "Cookie" },
  body: "本文",
  responses: "レスポンス",
  headers: "ヘッダー",
  required: "必須",
  deprecated: "非推奨",
  readOnly: "読み取り専用",
  writeOnly: "書き込み専用",
  oneOf: "いずれか 1 つ",
  anyOf: "いずれか",
  properties: "プロパティ",
  anyProperty: "その他の任意の名前",
  values: "値",
  default: "既定値",
  example: "例",
  asAbove: "上と同じ",
  more: "ここでは残りを省略しています。仕様を参照してください。",
  either: "または",
  optional: "認証は不要です",
  characters: "文字",
  items: "件"
}

const nl: ApiWords = {
  authorization: "Autorisatie",
  servers: "Servers",
  parameters: { path: "Padparameters", query: "Queryparameters", header: "Headers", cookie: "Cookies" },
  body: "Inhoud",
  responses: "Antwoorden",
  headers: "Headers",
  required: "verplicht",
  deprecated: "verouderd",
  readOnly: "alleen lezen",
  writeOnly: "alleen schrijven",
  oneOf: "Een van",
  anyOf: "Minstens een van",
  properties: "Velden",
  anyProperty: "elke andere naam",
  values: "Waarden",
  default: "Standaard",
  example: "Voorbeeld",
  asAbove: "zoals hierboven",
  more: "De rest is hier weggelaten: zie de specificatie.",
  either: "of",
  optional: "Geen nodig",
  characters: "tekens",
  items: "elementen"
}

const no: ApiWords = {
  authorization: "Autorisasjon",
  servers: "Tjenere",
  parameters: {
    path: "Parametere i stien",
    query: "Parametere i spørringen",
    header: "Hoder",
    cookie: "Informasjonskapsler"
  },
  body: "Innhold",
  responses: "Svar",
  headers: "Hoder",
  required: "påkrevd",
  deprecated: "foreldet",
  readOnly: "kun lesing",
  writeOnly: "kun skriving",
  oneOf: "En av",
  anyOf: "Minst en av",
  properties: "Felter",
  anyProperty: "ethvert annet navn",
  values: "Verdier",
  default: "Standard",
  example: "Eksempel",
  asAbove: "som ovenfor",
  more: "Resten er utelatt her: se spesifikasjonen.",
  either: "eller",
  optional: "Ingen er nødvendig",
  characters: "tegn",
  items: "elementer"
}

const ptBr: ApiWords = {
  authorization: "Autorização",
  servers: "Servidores",
  parameters: {
    path: "Parâmetros do caminho",
    query: "Parâmetros da consulta",
    header: "Cabeçalhos",
    cookie: "Cookies"
  },
  body: "Corpo",
  responses: "Respostas",
  headers: "Cabeçalhos",
  required: "obrigatório",
  deprecated: "obsoleto",
  readOnly: "somente leitura",
  writeOnly: "somente escrita",
  oneOf: "Um de",
  anyOf: "Pelo menos um de",
  properties: "Propriedades",
  anyProperty: "qualquer outro nome",
  values: "Valores",
  default: "Padrão",
  example: "Exemplo",
  asAbove: "como acima",
  more: "O restante foi omitido aqui: veja a especificação.",
  either: "ou",
  optional: "Nenhuma é necessária",
  characters: "caracteres",
  items: "itens"
}

const ar: ApiWords = {
  authorization: "التفويض",
  servers: "الخوادم",
  parameters: { path: "معاملات المسار", query: "معاملات الاستعلام", header: "الترويسات", cookie: "ملفات تعريف الارتباط" },
  body: "المتن",
  responses: "الاستجابات",
  headers: "الترويسات",
  required: "مطلوب",
  deprecated: "مهمل",
  readOnly: "للقراءة فقط",
  writeOnly: "للكتابة فقط",
  oneOf: "واحد من",
  anyOf: "أي من",
  properties: "الخصائص",
  anyProperty: "أي اسم آخر",
  values: "القيم",
  default: "الافتراضي",
  example: "مثال",
  asAbove: "كما أعلاه",
  more: "حُذف الباقي هنا: راجع المواصفة.",
  either: "أو",
  optional: "لا يلزم أي تفويض",
  characters: "حرفًا",
  items: "عنصرًا"
}

const ru: ApiWords = {
  authorization: "Авторизация",
  servers: "Серверы",
  parameters: { path: "Параметры пути", query: "Параметры запроса", header: "Заголовки", cookie: "Cookie" },
  body: "Тело",
  responses: "Ответы",
  headers: "Заголовки",
  required: "обязательно",
  deprecated: "устарело",
  readOnly: "только чтение",
  writeOnly: "только запись",
  oneOf: "Один из",
  anyOf: "Любой из",
  properties: "Поля",
  anyProperty: "любое другое имя",
  values: "Значения",
  default: "По умолчанию",
  example: "Пример",
  asAbove: "как выше",
  more: "Остальное здесь опущено: см. спецификацию.",
  either: "или",
  optional: "Не требуется",
  characters: "символов",
  items: "элементов"
}

export const of = Words.among<ApiWords>({ ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh })
