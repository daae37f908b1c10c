// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { ApiError } from './api.ts'
import { ChunkError } from './chunk.ts'
import { errorDetail, errorText } from './error-text.ts'
import { setLocale } from './i18n/index.ts'

beforeAll(() => setLocale('de'))

it.each([
  [new ApiError(507, '507 Insufficient Storage', 'no_space'), 'Auf dem Server ist kein Platz mehr.'],
  [new ApiError(400, '400 Bad Request (data.id: is wrong)', 'bad_request'), 'Der Server hat das nicht angenommen.'],
  [new ApiError(404, '404 Not Found', 'not_found'), 'Dieser Ort ist nicht erreichbar.'],
  [new ApiError(0, '000 No connection'), 'Der Server ist nicht erreichbar.'],
  [new ApiError(500, '500 Internal Server Error', 'internal'), 'Da ist etwas gründlich schiefgegangen.'],
  [new ApiError(413, '<h1>413 Request Entity Too Large</h1>'), 'Die Datei ist zu groß.'],
  [
    new ApiError(503, 'upstream connect error'),
    'Der Server kann das gerade nicht. Versuchen Sie es später noch einmal.',
  ],
  [new TypeError('x is not a function'), 'Da ist etwas gründlich schiefgegangen.'],
  [new ChunkError(), 'Ein Teil des Programms konnte nicht geladen werden.'],
])('%s is localized', (error, text) => {
  expect(errorText(error)).toBe(text)
})

it("shows the status and the server's request id below it", () => {
  expect(errorDetail(new ApiError(500, '500 Internal Server Error', 'internal', undefined, '3f9a12c4'))).toBe(
    '500 · 3f9a12c4',
  )
  expect(errorDetail(new ApiError(404, '404 Not Found', 'not_found'))).toBe('404')
  expect(errorDetail(new ApiError(0, '000 No connection'))).toBeUndefined()
})
