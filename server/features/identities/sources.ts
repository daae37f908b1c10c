/** What vouches for users: an OpenID provider or a directory. */
export interface Source {
  kind: 'oidc' | 'ldap'
  slug: string
  /** As in the rows of identities. */
  issuer: string
  /** Shown to users. */
  label: string
  /** Asks it something small. @throws Error when it does not answer, with a message for administrators */
  ask(): Promise<unknown>
  /** Where an OpenID provider sends browsers back. @param address of the server */
  redirect?(address: string): string
}

/** Why a source does not answer now, with the causes; `undefined` when it does. No secret. */
export const failureOf = (source: Source): Promise<string | undefined> => source.ask().then(() => undefined, reasonIn)

/** What went wrong, with the causes. */
export const reasonIn = (error: unknown): string => messagesOf(error).join(': ')

function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { message, cause } = error
  return [message, ...messagesOf(cause).filter(text => text !== '' && !message.includes(text))]
}
