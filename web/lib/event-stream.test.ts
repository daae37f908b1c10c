import { expect, it } from 'vitest'
import { eventParser, type StreamEvent } from './event-stream.ts'

it('puts events together from pieces, and passes over what is none', () => {
  const events: StreamEvent[] = []
  const parse = eventParser(event => events.push(event))
  for (const piece of ['retry: 3000\n\n:\n\nevent: jo', 'b\nda', 'ta: {"a":1}\n', '\ndata: one\r\ndata: two\r\n\r\n'])
    parse(piece)
  expect(events).toEqual([
    { name: 'job', data: '{"a":1}' },
    { name: 'message', data: 'one\ntwo' },
  ])
})
