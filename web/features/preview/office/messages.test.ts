import { describe, expect, test } from 'vitest'
import { messageOf } from './messages.ts'

describe('a message of the office editor', () => {
  test('says that the editor is ready, or closes', () => {
    const loading = (Status: string) => JSON.stringify({ MessageId: 'App_LoadingStatus', Values: { Status } })
    expect([loading('Frame_Ready'), loading('Document_Loaded'), loading('Failed')].map(messageOf)).toEqual([
      'ready',
      'ready',
      undefined,
    ])
    expect(messageOf('{"MessageId":"UI_Close"}')).toBe('close')
  })

  test('says whether the document was saved, and that the token ends', () => {
    const saving = (Values: object) => messageOf(JSON.stringify({ MessageId: 'Action_Save_Resp', Values }))
    expect(saving({ success: true })).toBe('saved')
    expect(saving({ success: false, result: 'unmodified' })).toBe('saved')
    expect(saving({ success: false, errorMsg: 'x' })).toBe('unsaved')
    expect(messageOf('{"MessageId":"App_TokenExpiring"}')).toBe('expiring')
  })

  test.each([
    undefined,
    null,
    1,
    {},
    '',
    '{',
    'null',
    '[]',
    '{"MessageId":1}',
    '{"MessageId":"App_LoadingStatus","Values":null}',
  ])('that is anything else says nothing: %j', data => {
    expect(messageOf(data)).toBeUndefined()
  })
})
