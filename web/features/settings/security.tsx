import { pageConfig } from '../../lib/config.ts'
import { lazyPart, lazySignIn } from '../../lib/lazy.ts'
import { useSession } from '../../lib/session.ts'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

const FactorsCard = lazySignIn(() => import('./factors/factors-card.tsx'))
const DevicesCard = lazySignIn(() => import('./factors/devices-card.tsx'))
const PasskeysCard = lazySignIn(() => import('./factors/passkeys-card.tsx'))
const LinkProviders = lazySignIn(() => import('./factors/link-providers.tsx'))
const TokensCard = lazyPart(() => import('./tokens/tokens-card.tsx'))

/** All ways into the user's account: first how people sign in, then what is signed in now, devices and programs. */
export default function SecurityPage() {
  const { user } = useSession()
  if (!user) return null
  return (
    <>
      {!user.lockPassword && <PasswordCard userId={user.id} username={user.username} />}
      {pageConfig.LoginPage && <FactorsCard />}
      {pageConfig.LoginPage && <PasskeysCard />}
      <LinkProviders />
      <SessionsCard />
      {pageConfig.LoginPage && <DevicesCard />}
      <TokensCard />
    </>
  )
}
