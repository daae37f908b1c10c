import { userInfo } from 'node:os'

/** The name of the account that runs a command; its number where the system has no name for it, as in a container. */
export function accountName(lookup: () => { username: string } = userInfo): string {
  try {
    return lookup().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
