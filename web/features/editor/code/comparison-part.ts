export { Comparison as default } from './comparison.tsx'
