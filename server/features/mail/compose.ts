import type { MailLanguage, MailTexts } from './texts.ts'
import { oneLine } from './transport.ts'

/** What a mail says, by names of its texts. */
export interface Content {
  subject: keyof MailTexts
  /** Paragraphs before the link, and after it. */
  before: readonly (keyof MailTexts)[]
  after?: readonly (keyof MailTexts)[]
  /** Names, one in a line. */
  list?: readonly string[]
  /** Words of a user, in several lines; `''` for none. */
  quote?: string
  link?: { text: keyof MailTexts; url: string }
  /** What stands for `{name}` in the texts. */
  values: Readonly<Record<string, string>>
}

/** Where a mail comes from. */
export interface Instance {
  name: string
  /** Its public URL. */
  url: string
}

/** The most characters of a value in a subject. */
const LONGEST_IN_SUBJECT = 80

/** A mail as plain text, and as HTML of the same parts, in which all values are escaped. */
export function compose(
  content: Content,
  { language, texts, instance }: { language: MailLanguage; texts: MailTexts; instance: Instance },
): { subject: string; text: string; html: string } {
  const { before, after = [], list = [], quote = '', link } = content
  const values: Content['values'] = { instance: instance.name, ...content.values }
  const plain = (name: keyof MailTexts) => fill(texts[name], values, oneLine)
  const rich = (name: keyof MailTexts) => fill(escapeHtml(texts[name]), values, value => isolated(oneLine(value)))
  const short = (value: string) => shortened(oneLine(value))
  const text = [
    ...before.map(plain),
    ...(list.length > 0 ? [list.map(name => `- ${oneLine(name)}`).join('\n')] : []),
    ...(quote.trim() === ''
      ? []
      : [
          linesOf(quote)
            .map(line => `> ${line}`)
            .join('\n'),
        ]),
    ...(link ? [link.url] : []),
    ...after.map(plain),
    `-- \n${oneLine(instance.name)}\n${instance.url}`,
  ].join('\n\n')
  const body = [
    ...before.map(name => paragraph(rich(name))),
    ...(list.length > 0 ? [`<ul>${list.map(name => `<li>${isolated(oneLine(name))}</li>`).join('')}</ul>`] : []),
    ...(quote.trim() === ''
      ? []
      : [`<blockquote dir="auto" style="${QUOTE}">${linesOf(quote).map(escapeHtml).join('<br>')}</blockquote>`]),
    ...(link ? [paragraph(button(link.url, rich(link.text))), paragraph(address(link.url))] : []),
    ...after.map(name => paragraph(rich(name))),
    `<hr style="${RULE}">`,
    `<p style="${SMALL}">${isolated(oneLine(instance.name))}<br>${address(instance.url)}</p>`,
  ].join('\n')
  const { tag, dir } = language
  const subject = fill(texts[content.subject], values, short)
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="${tag}" dir="${dir}">\n<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>\n<body style="${BODY}">\n<div style="${PAGE}">\n${body}\n</div>\n</body>\n</html>\n`,
  }
}

const BODY = 'margin:0;padding:24px 16px'
const PAGE =
  'max-width:34em;margin:0 auto;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 20px;border-radius:8px;background:#0b7285;color:#ffffff;text-decoration:none;font-weight:600'
const QUOTE = 'margin:0 0 16px;padding-inline-start:12px;border-inline-start:3px solid #8a8a8a;overflow-wrap:anywhere'
const RULE = 'border:0;border-top:1px solid #8a8a8a;margin:24px 0 12px'
const SMALL = 'margin:0;font-size:13px;opacity:.75;word-break:break-word'

const paragraph = (html: string) => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${html}</p>`
const button = (url: string, html: string) => `<a href="${escapeHtml(url)}" style="${BUTTON}">${html}</a>`
/** An address to read, always from left to right. */
const address = (url: string) => `<span dir="ltr" style="font-size:13px;word-break:break-all">${escapeHtml(url)}</span>`

/** A value keeps its own direction. */
const isolated = (value: string) => `<bdi>${escapeHtml(value)}</bdi>`

const linesOf = (text: string): string[] =>
  text
    .trim()
    .split(/\r\n|[\r\n]/)
    .map(oneLine)

const shortened = (value: string) =>
  [...value].length > LONGEST_IN_SUBJECT ? `${[...value].slice(0, LONGEST_IN_SUBJECT - 1).join('')}…` : value

const fill = (text: string, values: Content['values'], show: (value: string) => string) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => show(values[name] ?? ''))

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)
