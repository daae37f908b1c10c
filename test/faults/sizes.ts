/** The seed of random choices. */
export const SEED = Number(process.env.FILIGREE_FAULTS_SEED ?? 20_261_121)

/** Number of repetitions: few in `npm test`, all in `npm run test:faults`. */
export const size = (name: string, few: number): number => Number(process.env[`FILIGREE_FAULTS_${name}`] ?? few)
