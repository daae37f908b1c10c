import { compareSync } from 'bcryptjs'
import { serveCalls } from '../../lib/worker-serve.ts'

export type BcryptCalls = typeof CALLS

const CALLS = { matches: ({ password, hash }: { password: string; hash: string }) => compareSync(password, hash) }

serveCalls(CALLS)
