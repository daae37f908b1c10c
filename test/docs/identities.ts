import { directoryAt } from '../ldap/sign-in.ts'
import { dnOf, group, groupDn, launchSlapd, person } from '../ldap/slapd.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import { providerAt } from '../oidc/sign-in.ts'

/** Variables that name what runs, and how it ends. */
export interface Identities {
  env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts the provider `home` and the directory `corp` of docs/sign-in.md, with the user `ann` in it. */
export async function startIdentities(): Promise<Identities> {
  const people = [person('ann', 'a-password-of-ann'), group('north', [dnOf('ann')]), group('staff', [groupDn('north')])]
  const [provider, slapd] = await Promise.all([startRealProvider(), launchSlapd(people.join('\n'))])
  // It answers once it has a client.
  await provider.register({ url: 'http://127.0.0.1:1' })
  return {
    env: {
      FILIGREE_PROVIDERS: JSON.stringify([providerAt(provider.issuer)]),
      // An id that the guide can name.
      FILIGREE_DIRECTORIES: JSON.stringify([
        directoryAt(slapd, { groupMap: { staff: 'Staff' }, subjectAttribute: 'uid' }),
      ]),
    },
    async stop() {
      await Promise.all([provider.stop(), slapd.close()])
    },
  }
}
