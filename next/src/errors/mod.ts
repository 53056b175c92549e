export {
  AbortError,
  AbortOptimistic,
  asError,
  EndpointError,
  isEnding,
  NetworkError,
  NormalizeError,
  ParseError,
  SchemaError,
  TimeoutError,
  UrlError,
  UsageError,
  ValidationError,
  WriteError,
} from "./errors.ts";
export { type Checks, checks, type Last, type Named, type Wanted } from "./checks.ts";
export { RejoinError, type Sentences, useSentences, warn } from "./rejoin_error.ts";
