export type { Literal, ObjectMembers, SchemaInput } from "../store/schema_input.ts";
