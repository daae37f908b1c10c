import { createHash } from 'node:crypto'
import type { Document, Operation, Parameter } from './document.ts'
import type { Header, Response } from './responses.ts'
import type { JsonSchema } from './schemas.ts'
import { STYLE } from './style.ts'

/** The page may have its own style and nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The description as an HTML page: operations by tag, with parameters and responses. */
export function renderPage(document: Document, baseURL: string): string {
  const { info, tags, components } = document
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const links = tags.map(({ name }) => `<li><a href="#${text(name)}">${text(name)}</a></li>`)
  const sections = tags.map(({ name }) => {
    const own = calls.filter(({ operation }) => operation.tags.includes(name))
    return `<section id="${text(name)}"><h2>${text(name)}</h2>${own.map(renderCall).join('')}</section>`
  })
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="shape-${text(name)}">${text(name)}</h3>${renderSchema(schema)}`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>${text(info.title)} API</title><style>${STYLE}</style></head>
<body>
<nav aria-label="Nouns"><ul>${links.join('')}<li><a href="#shapes">shapes</a></li></ul></nav>
<main><h1>${text(info.title)} API <small>${text(info.version)}</small></h1>
<p>${prose(info.description)}</p>
<p>The same for programs: <a href="${text(baseURL)}/api/openapi.json">openapi.json</a>, OpenAPI 3.1.</p>
${sections.join('\n')}
<section id="shapes"><h2>Shapes</h2>${shapes.join('')}</section>
</main></body></html>
`
}

function renderCall({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const samples = (operation['x-codeSamples'] ?? []).map(
    ({ source }) => `<pre tabindex="0"><code>${text(source)}</code></pre>`,
  )
  const body = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<p><code>${text(type)}</code></p>${renderSchema(schema)}`,
  )
  return `<article id="${text(operationId)}">
<h3><code>${method} <bdi dir="ltr">${text(path)}</bdi></code></h3><p>${text(summary)}. ${prose(description)}</p>
${samples.join('')}
${table('Parameters', ['Name', 'Where', 'Description'], parameters.map(parameterRow))}
${body.length > 0 ? `<h4>Body</h4>${body.join('')}` : ''}
${table('Responses', ['Status', 'Meaning', 'Type'], Object.entries(responses).map(responseRow))}
</article>`
}

function parameterRow({ name, in: where, description, required, schema }: Parameter): string[] {
  const values = Array.isArray(schema.enum) ? schema.enum.map(value => ` <code>${text(String(value))}</code>`) : []
  return [`<code>${text(name)}</code>`, `${where}${required ? ', required' : ''}`, prose(description) + values.join('')]
}

function responseRow([status, { description, headers = {}, content = {} }]: [string, Response]): string[] {
  const described = Object.entries(headers).flatMap(([name, header]) =>
    isOwn(header) ? [`<br><code>${text(name)}</code>: ${prose(header.description)}`] : [],
  )
  const types = Object.entries(content)
    .filter(([type]) => Number(status) < 400 || !OF_ERRORS.includes(type))
    .map(([type, { schema }]) => `<code>${text(type)}</code> ${type.startsWith('text/') ? '' : renderShort(schema)}`)
  return [status, prose(description) + described.join(''), types.join('<br>')]
}

/** The forms of every error, which are said once, at the top. */
const OF_ERRORS: readonly string[] = ['text/plain', 'application/problem+json']
const isOwn = (header: Header | { $ref: string }): header is Header => 'description' in header

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const head = heads.map(name => `<th scope="col">${name}</th>`).join('')
  const lines = rows.map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`)
  return `<table><caption>${title}</caption><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`
}

/** A schema in a word or two; its fields only where it has no name. */
function renderShort(schema: JsonSchema): string {
  const name = nameIn(schema.$ref)
  if (name !== undefined) return `<a href="#shape-${text(name)}">${text(name)}</a>`
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return choices.map(renderShort).join(' or ')
  if (schema.type === 'array') return `list of ${renderShort(Object(schema.items))}`
  if (Array.isArray(schema.enum))
    return schema.enum.map(value => `<code>${text(JSON.stringify(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`
  return [schema.type ?? '']
    .flat()
    .map(type => text(String(type)))
    .join(' or ')
}

/** A schema with its fields, one a line. */
function renderSchema(schema: JsonSchema): string {
  const inner = Array.isArray(schema.anyOf) ? schema.anyOf.find(choice => Object(choice).properties) : undefined
  const { properties, required } = Object(inner ?? schema)
  if (!properties) return `<p>${renderShort(schema)}</p>`
  const needed: unknown[] = Array.isArray(required) ? required : []
  const rows = Object.entries(properties).map(([name, field]) => {
    return `<dt><code>${text(name)}</code>${needed.includes(name) ? '' : '?'}</dt><dd>${renderField(Object(field))}</dd>`
  })
  return `<dl>${rows.join('')}</dl>`
}

function renderField(schema: JsonSchema): string {
  const isDeep = schema.properties !== undefined || JSON.stringify(schema.anyOf ?? '').includes('"properties"')
  return isDeep ? renderSchema(schema) : renderShort(schema)
}

const nameIn = (ref: unknown) => (typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : undefined)

const text = (raw: string) => raw.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

/** A sentence, with words in backquotes as code. */
const prose = (raw: string) => text(raw).replace(/`([^`]*)`/g, '<code>$1</code>')
