/** What a message of the office editor says, as far as the page must know. The caller has checked where it comes from. */
export function messageOf(data: unknown): 'ready' | 'close' | undefined {
  const { MessageId, Values } = parsed(data)
  if (MessageId === 'UI_Close') return 'close'
  if (MessageId !== 'App_LoadingStatus') return undefined
  const { Status } = Object(Values) as Record<string, unknown>
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
