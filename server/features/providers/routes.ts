import * as z from 'zod/mini'
import { ComparisonSummary, type DirectoryComparison, ProviderStatus } from '../../../shared/api/providers.ts'
import { type AddressConfig, publicAddress } from '../../routing/public-address.ts'
import { parameterOf, type Route } from '../../routing/route.ts'
import { failureOf, type Source } from '../identities/sources.ts'

export interface ProviderRouteDeps {
  config: AddressConfig
  providers: { sources(): Source[] }
  directories: {
    sources(): Source[]
    /** `at` is in milliseconds since the epoch. */
    lastRun(slug: string): Promise<(Omit<DirectoryComparison, 'at'> & { at: number }) | undefined>
    /** @throws AppError `not_found`, `provider_unavailable` */
    compare(slug: string): Promise<ComparisonSummary>
  }
}

/** The OpenID providers and directories of the host, for administrators (http-api 45). */
export function providerStatusRoutes({ config, providers, directories }: ProviderRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/providers',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'List the OpenID providers and directories, and whether they answer',
        answers: { 200: { text: 'In the order of the configuration.', schema: z.array(ProviderStatus) } },
      },
      async handler(request) {
        const address = publicAddress(request, config)
        const found = [...providers.sources(), ...directories.sources()].map(
          async (source): Promise<ProviderStatus> => {
            const { kind, slug, label } = source
            const reason = await failureOf(source)
            const status = { kind, slug, label, answers: reason === undefined, ...(reason !== undefined && { reason }) }
            if (source.redirect) return { ...status, redirect: source.redirect(address) }
            const run = await directories.lastRun(slug)
            return { ...status, compared: run ? { ...run, at: new Date(run.at).toISOString() } : null }
          },
        )
        return Promise.all(found)
      },
    },
    {
      method: 'POST',
      path: '/api/directories/:slug/sync',
      access: 'admin',
      token: 'admin',
      // Each account that it closes or opens is recorded.
      records: 'nothing',
      describes: {
        summary: 'Compare the accounts of a directory with it',
        path: 'The short name of the directory.',
        answers: {
          200: { text: 'What the comparison found and changed.', schema: ComparisonSummary },
          404: { text: 'There is no such directory.' },
          503: { text: 'The directory does not answer, or not usably.' },
        },
      },
      handler: (request): Promise<ComparisonSummary> => directories.compare(parameterOf(request, 'slug')),
    },
  ]
}
