export { type ListKeeper, Row, Table } from "./row.ts";
