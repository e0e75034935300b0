/** Texts of calls that are tried from a page, in the languages of the interface; any other is told in English. */
import * as Words from "../page/Words.ts"

export interface TryWords {
  readonly tryIt: string
  readonly send: string
  readonly sending: string
  readonly answer: string
  /** Of a browser that calls itself. */
  readonly failed: string
  /** Of the server that calls in its place. */
  readonly failedProxy: string
  readonly cut: string
  readonly nothing: string
  /** Stands behind their number. */
  readonly bytes: string
  readonly proxied: string
  readonly direct: string
  readonly cookies: string
  readonly user: string
  readonly password: string
  readonly token: string
  readonly commas: string
  readonly server: string
  readonly scheme: string
  readonly none: string
}

const en: TryWords = {
  tryIt: "Try it",
  send: "Send",
  sending: "Sending …",
  answer: "Response",
  failed:
    "No answer could be read. The API may not be there, or it may not let other websites read its answers (CORS).",
  failedProxy: "The server of this site got no answer.",
  cut: "Only the beginning is shown.",
  nothing: "The body is empty.",
  bytes: "bytes, which are no text",
  proxied: "The call goes through the server of this site.",
  direct: "Your browser calls the API itself.",
  cookies: "Cookies are not sent from here.",
  user: "User name",
  password: "Password",
  token: "Token",
  commas: "Several, separated by commas",
  server: "Server",
  scheme: "Authorization",
  none: "None"
}

const de: TryWords = {
  tryIt: "Ausprobieren",
  send: "Senden",
  sending: "Wird gesendet …",
  answer: "Antwort",
  failed:
    "Es konnte keine Antwort gelesen werden. Vielleicht ist die API nicht da, oder sie lässt andere Websites ihre Antworten nicht lesen (CORS).",
  failedProxy: "Der Server dieser Website hat keine Antwort bekommen.",
  cut: "Nur der Anfang wird gezeigt.",
  nothing: "Der Inhalt ist leer.",
  bytes: "Bytes, die kein Text sind",
  proxied: "Der Aufruf geht über den Server dieser Website.",
  direct: "Dein Browser ruft die API selbst auf.",
  cookies: "Cookies werden von hier nicht gesendet.",
  user: "Benutzername",
  password: "Passwort",
  token: "Token",
  commas: "Mehrere, durch Kommas getrennt",
  server: "Server",
  scheme: "Anmeldung",
  none: "Keine"
}

const fr: TryWords = {
  tryIt: "Essayer",
  send: "Envoyer",
  sending: "Envoi …",
  answer: "Réponse",
  failed:
    "Aucune réponse n’a pu être lue. L’API est peut-être absente, ou ne laisse pas d’autres sites lire ses réponses (CORS).",
  failedProxy: "Le serveur de ce site n’a pas reçu de réponse.",
  cut: "Seul le début est affiché.",
  nothing: "Le corps est vide.",
  bytes: "octets, qui ne sont pas du texte",
  proxied: "L’appel passe par le serveur de ce site.",
  direct: "Votre navigateur appelle lui-même l’API.",
  cookies: "Les cookies ne sont pas envoyés d’ici.",
  user: "Nom d’utilisateur",
  password: "Mot de passe",
  token: "Jeton",
  commas: "Plusieurs, séparés par des virgules",
  server: "Serveur",
  scheme: "Autorisation",
  none: "Aucune"
}

const es: TryWords = {
  tryIt: "Probar",
  send: "Enviar",
  sending: "Enviando …",
  answer: "Respuesta",
  failed:
    "No se pudo leer ninguna respuesta. Puede que la API no esté disponible o que no permita a otros sitios leer sus respuestas (CORS).",
  failedProxy: "El servidor de este sitio no recibió respuesta.",
  cut: "Solo se muestra el principio.",
  nothing: "El cuerpo está vacío.",
  bytes: "bytes que no son texto",
  proxied: "La llamada pasa por el servidor de este sitio.",
  direct: "Tu navegador llama directamente a la API.",
  cookies: "Desde aquí no se envían cookies.",
  user: "Nombre de usuario",
  password: "Contraseña",
  token: "Token",
  commas: "Varios, separados por comas",
  server: "Servidor",
  scheme: "Autorización",
  none: "Ninguna"
}

const zh: TryWords = {
  tryIt: "试一试",
  send: "发送",
  sending: "正在发送…",
  answer: "响应",
  failed: "无法读取响应。API 可能不可用，或者不允许其他网站读取其响应（CORS）。",
  failedProxy: "本站服务器没有收到响应。",
  cut: "仅显示开头部分。",
  nothing: "正文为空。",
  bytes: "字节，不是文本",
  proxied: "请求经由本站服务器发出。",
  direct: "您的浏览器直接调用 API。",
  cookies: "此处不会发送 Cookie。",
  user: "用户名",
  password: "密码",
  token: "令牌",
  commas: "多个值用逗号分隔",
  server: "服务器",
  scheme: "授权",
  none: "无"
}

const ja: TryWords = {
  tryIt: "試す",
  send: "送信",
  sending: "送信中…",
  answer: "レスポンス",
  failed:
    "レスポンスを読み取れませんでした。API が利用できないか、他のサイトによる読み取り（CORS）が許可されていない可能性があります。",
  failedProxy: "このサイトのサーバーは応答を受け取れませんでした。",
  cut: "先頭部分のみ表示しています。",
  nothing: "本文は空です。",
  bytes: "バイト（テキストではありません）",
  proxied: "リクエストはこのサイトのサーバーを経由します。",
  direct: "ブラウザーが API を直接呼び出します。",
  cookies: "ここから Cookie は送信されません。",
  user: "ユーザー名",
  password: "パスワード",
  token: "トークン",
  commas: "複数の場合はカンマで区切ります",
  server: "サーバー",
  scheme: "認証",
  none: "なし"
}

const nl: TryWords = {
  tryIt: "Proberen",
  send: "Verzenden",
  sending: "Bezig met verzenden …",
  answer: "Antwoord",
  failed:
    "Er kon geen antwoord worden gelezen. Misschien is de API er niet, of mogen andere websites haar antwoorden niet lezen (CORS).",
  failedProxy: "De server van deze site kreeg geen antwoord.",
  cut: "Alleen het begin wordt getoond.",
  nothing: "De inhoud is leeg.",
  bytes: "bytes die geen tekst zijn",
  proxied: "De aanroep gaat via de server van deze site.",
  direct: "Je browser roept de API zelf aan.",
  cookies: "Cookies worden van hier niet verzonden.",
  user: "Gebruikersnaam",
  password: "Wachtwoord",
  token: "Token",
  commas: "Meerdere, gescheiden door komma’s",
  server: "Server",
  scheme: "Autorisatie",
  none: "Geen"
}

const no: TryWords = {
  tryIt: "Prøv",
  send: "Send",
  sending: "Sender …",
  answer: "Svar",
  failed:
    "Ikke noe svar kunne leses. API-et er kanskje ikke tilgjengelig, eller lar ikke andre nettsteder lese svarene (CORS).",
  failedProxy: "Serveren til dette nettstedet fikk ikke noe svar.",
  cut: "Bare begynnelsen vises.",
  nothing: "Innholdet er tomt.",
  bytes: "byte som ikke er tekst",
  proxied: "Kallet går gjennom serveren til dette nettstedet.",
  direct: "Nettleseren din kaller API-et selv.",
  cookies: "Informasjonskapsler sendes ikke herfra.",
  user: "Brukernavn",
  password: "Passord",
  token: "Token",
  commas: "Flere, skilt med komma",
  server: "Server",
  scheme: "Autorisasjon",
  none: "Ingen"
}

const ptBr: TryWords = {
  tryIt: "Testar",
  send: "Enviar",
  sending: "Enviando …",
  answer: "Resposta",
  failed:
    "Nenhuma resposta pôde ser lida. A API pode estar indisponível ou não permitir que outros sites leiam suas respostas (CORS).",
  failedProxy: "O servidor deste site não recebeu resposta.",
  cut: "Só o início é mostrado.",
  nothing: "O corpo está vazio.",
  bytes: "bytes que não são texto",
  proxied: "A chamada passa pelo servidor deste site.",
  direct: "Seu navegador chama a API diretamente.",
  cookies: "Cookies não são enviados daqui.",
  user: "Nome de usuário",
  password: "Senha",
  token: "Token",
  commas: "Vários, separados por vírgulas",
  server: "Servidor",
  scheme: "Autorização",
  none: "Nenhuma"
}

const ar: TryWords = {
  tryIt: "جرّب",
  send: "إرسال",
  sending: "جارٍ الإرسال …",
  answer: "الاستجابة",
  failed: "تعذّرت قراءة أي استجابة. قد لا تكون الواجهة متاحة، أو لا تسمح لمواقع أخرى بقراءة استجاباتها (CORS).",
  failedProxy: "لم يتلقَّ خادم هذا الموقع أي استجابة.",
  cut: "لا يظهر إلا البداية.",
  nothing: "المحتوى فارغ.",
  bytes: "بايت ليست نصًا",
  proxied: "يمر الطلب عبر خادم هذا الموقع.",
  direct: "متصفحك يستدعي الواجهة بنفسه.",
  cookies: "لا تُرسل ملفات تعريف الارتباط من هنا.",
  user: "اسم المستخدم",
  password: "كلمة المرور",
  token: "الرمز",
  commas: "عدة قيم تفصل بينها فواصل",
  server: "الخادم",
  scheme: "التفويض",
  none: "بدون"
}

const ru: TryWords = {
  tryIt: "Попробовать",
  send: "Отправить",
  sending: "Отправка…",
  answer: "Ответ",
  failed:
    "Не удалось прочитать ответ. Возможно, API недоступен или не разрешает другим сайтам читать свои ответы (CORS).",
  failedProxy: "Сервер этого сайта не получил ответа.",
  cut: "Показано только начало.",
  nothing: "Тело пусто.",
  bytes: "байт, которые не являются текстом",
  proxied: "Запрос идёт через сервер этого сайта.",
  direct: "Ваш браузер обращается к API напрямую.",
  cookies: "Файлы cookie отсюда не отправляются.",
  user: "Имя пользователя",
  password: "Пароль",
  token: "Токен",
  commas: "Несколько, через запятую",
  server: "Сервер",
  scheme: "Авторизация",
  none: "Нет"
}

export const of = Words.among<TryWords>({ ar, de, en, es, fr, ja, nl, no, "pt-br": ptBr, ru, zh })
