import type { Texts } from "./Texts.ts"

const forms = new Intl.PluralRules("ru")

export const ru: Texts = {
  skipToContent: "Перейти к содержанию",
  linkToHeading: "Ссылка на этот заголовок",
  done: "Выполнено",
  open: "Не выполнено",
  close: "Закрыть",
  showAll: "Показать всё",
  prompt: "Запрос",
  missing: "Это недоступно",
  table: "Таблица",
  code: "Код",
  footnotes: "Сноски",
  backToText: (number) => `Назад к ссылке ${number}`,
  loadFrom: (name) => `Загрузить с ${name}`,
  recording: "Запись",
  hints: { info: "Примечание", warning: "Внимание", danger: "Опасно", success: "Совет" },
  pages: "Страницы",
  sections: "Разделы",
  variants: "Версия",
  onThisPage: "На этой странице",
  breadcrumbs: "Навигационная цепочка",
  previous: "Назад",
  next: "Далее",
  updated: (date) => `Последнее обновление: ${date}`,
  menu: "Меню",
  theme: "Переключить светлую и тёмную тему",
  updates: "Обновления",
  forPrograms: "Указатель всех страниц для машин:",
  noPages: "Здесь пока нет страниц",
  notFound: "Здесь ничего нет",
  notFoundText: "Возможно, страница перемещена или недоступна для вас.",
  signIn: "Войти",
  signOff: "Выйти",
  signOnFailed: "Не удалось войти",
  signOnFailedText: "Ваш вход не удалось проверить. Если это повторится, сообщите владельцу сайта.",
  tryAgain: "Попробовать ещё раз",
  suggestions: "Возможно, вы ищете одну из этих страниц:",
  failed: "Сейчас этот сайт не может быть показан",
  failedText: "Повторите попытку чуть позже.",
  home: "На главную",
  announcement: "Объявление",
  privacy: "Политика конфиденциальности",
  madeWith: (name) => `Сделано с помощью ${name}`,
  copy: "Копировать",
  copied: "Скопировано",
  enlarge: "Увеличить",
  diagram: "Диаграмма",
  diagramSource: "Исходный текст диаграммы",
  notDrawn: "Сейчас эту часть нельзя показать.",
  pressedOften: "Слишком много нажатий. Подождите минуту и нажмите снова.",
  backToPage: "Назад к странице",
  cookies: {
    title: "Файлы cookie",
    question: "Этот сайт хочет использовать программы, которые могут сохранять файлы cookie. Вы согласны?",
    accept: "Принять",
    reject: "Отклонить"
  },
  search: "Поиск",
  searchIn: (site) => `Поиск: ${site}`,
  results: (count) => {
    const form = forms.select(count)
    return form === "one"
      ? `Найдена ${count} страница`
      : form === "few"
        ? `Найдено ${count} страницы`
        : `Найдено ${count} страниц`
  },
  noResults: (query) => `По запросу «${query}» ничего не найдено`,
  recent: "Недавно открытые",
  everywhere: "Везде",
  here: "В этом разделе",
  actions: {
    title: "Другие действия со страницей",
    copyPage: "Копировать страницу",
    viewMarkdown: "Открыть как Markdown",
    pdf: "Экспортировать в PDF",
    openIn: (assistant) => `Открыть в ${assistant}`,
    question: (url) => `Прочитай ${url}, чтобы я мог задать вопросы об этом.`,
    mcp: "Копировать адрес сервера MCP",
    edit: (host) => `Редактировать на ${host}`,
    making: "PDF создаётся. Он откроется здесь через мгновение."
  },
  paper: {
    contents: "Содержание",
    untitled: "Без названия",
    picture: (said) => `Изображение: ${said}`,
    tooLarge: "слишком большое для показа",
    tooMany: "пропущено: изображений слишком много",
    unread: "изображение не читается",
    undrawn: "не удаётся нарисовать",
    othersUndrawn: "пропущено: другие не удалось нарисовать",
    unshown: (type) => `${type} здесь показать нельзя`,
    condition: (expression) => `Если ${expression}`,
    otherwise: "Иначе"
  },
  preview: {
    title: "Предпросмотр",
    changeRequest: (number) => `Запрос на изменение № ${number}`,
    back: "К опубликованному сайту"
  },
  feedback: {
    question: "Была ли эта страница полезной?",
    bad: "Нет",
    ok: "Частично",
    good: "Да",
    comment: "Что можно улучшить? (необязательно)",
    send: "Отправить",
    thanks: "Спасибо за отзыв!"
  }
}
