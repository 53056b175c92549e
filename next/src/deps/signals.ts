// The one import with a side effect: @preact/signals teaches Preact to re-run components whose signals changed.
import "npm:@preact/signals@^2";
