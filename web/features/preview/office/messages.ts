/** What a message of the editor says: it is ready, closes, could save or not, or wants a new token. */
export type EditorNews = 'ready' | 'close' | 'saved' | 'unsaved' | 'expiring'

/** What a message of the office editor says, as far as the page must know. The caller has checked where it comes from. */
export function messageOf(data: unknown): EditorNews | undefined {
  const { MessageId, Values } = parsed(data)
  const { Status, success, result } = Object(Values) as Record<string, unknown>
  if (MessageId === 'UI_Close') return 'close'
  if (MessageId === 'App_TokenExpiring') return 'expiring'
  if (MessageId === 'Action_Save_Resp') return success === false && result !== 'unmodified' ? 'unsaved' : 'saved'
  if (MessageId !== 'App_LoadingStatus') return undefined
  return Status === 'Frame_Ready' || Status === 'Document_Loaded' ? 'ready' : undefined
}

function parsed(data: unknown): Record<string, unknown> {
  if (typeof data !== 'string') return {}
  try {
    return Object(JSON.parse(data)) as Record<string, unknown>
  } catch {
    return {}
  }
}
