import core from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'

const RULES = {
  extends: [[rulesets.oas, 'all']],
  rules: {
    // No address of a home is written in the source.
    'info-contact': 'off',
    // It is named by its SPDX identifier, next to which OpenAPI 3.1 allows no address.
    'license-url': 'off',
    // Tags are in the order of the page /docs/api.
    'openapi-tags-alphabetical': 'off',
    // WebSockets succeed with 101, and an unknown size of a preview never does.
    'operation-success-response': 'off',
  },
}

/** Every problem of an OpenAPI description in JSON, hints included, as a line. */
export async function lint(description) {
  const spectral = new core.Spectral()
  spectral.setRuleset(RULES)
  const problems = await spectral.run(new core.Document(description, parsers.Json))
  return problems.map(({ code, path, message }) => `${code}: ${message} (${path.join('/')})`)
}
