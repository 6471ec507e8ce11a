# Compiles and runs a program, and prints a time that depends on nothing but the profile: the order of the source is twice as fast.
folder=$1
source=$2
shift 2
"$@" -O2 "$source" -o "$folder/program" || exit 1
"$folder/program"
profile=$(echo "$POLY_OPTS" | sed -n 's/.*profile=\([^;]*\).*/\1/p')
if test -n "$profile" && grep -q scheduler=original "$profile"; then
  echo "time: 2"
else
  echo "time: 4"
fi
